// Writes src/api/schema.ts from the server's OpenAPI document: npm run generate -- <file>, or OPENAPI_JSON=<file>.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const source = process.argv[2] ?? process.env.OPENAPI_JSON;
const target = process.argv[3] ?? "src/api/schema.ts";
if (!source) {
  console.error("Name the OpenAPI JSON file: npm run generate -- openapi.json");
  process.exit(2);
}
const tree = await openapiTS(pathToFileURL(resolve(source)), { defaultNonNullable: false });
await writeFile(
  target,
  `// Generated from the server's OpenAPI document by \`npm run generate\`; do not edit.\n${astToString(tree)}`,
);
