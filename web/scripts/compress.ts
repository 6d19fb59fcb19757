import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Plugin } from "vite";

const compress = promisify(gzip);
const COMPRESSIBLE = /\.(js|css|html|svg|json)$/;
const SMALLEST_WORTH_IT = 1024;

/** Writes `name.gz` beside each text file, so that the server never compresses while someone waits. */
export function precompressed(): Plugin {
  let folder = "";
  return {
    name: "precompressed",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const entry of entries) {
        if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const body = await readFile(path);
        if (body.length >= SMALLEST_WORTH_IT) await writeFile(`${path}.gz`, await compress(body, { level: 9 }));
      }
    },
  };
}
