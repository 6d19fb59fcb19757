import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const layers = (...patterns) => ({
  "no-restricted-imports": ["error", { patterns: patterns.map(([group, message]) => ({ group, message })) }],
});
const not = (layer) => [[`@/${layer}/*`, `**/${layer}/*`], "Imports point api ← shared ← events ← features ← app."];
const strangers = (...outside) => [
  ["@/features/*", ...outside],
  "Features are strangers to each other; compose them in app/.",
];

export default tseslint.config(
  { ignores: ["dist", "coverage", "src/api/schema.ts"] },
  ...tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}", "*.ts", "scripts/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: false }],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-unsafe-assignment": "error",
      "@typescript-eslint/no-unsafe-return": "error",
      "no-restricted-syntax": ["error", { selector: "ExportAllDeclaration", message: "No barrel files." }],
      complexity: ["error", { max: 20, variant: "modified" }],
      eqeqeq: "error",
    },
  },
  {
    files: ["src/**/*.tsx"],
    ignores: ["src/**/*.test.tsx"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "ExportAllDeclaration", message: "No barrel files." },
        { selector: "JSXText[value=/[A-Za-z]{2,}/]", message: "Visible text comes from shared/i18n." },
        {
          selector:
            "JSXAttribute[name.name=/^(aria-label|title|placeholder|alt|label)$/] > Literal[value=/[A-Za-z]{2,}/]",
          message: "Visible text comes from shared/i18n.",
        },
      ],
    },
  },
  { ...jsxA11y.flatConfigs.recommended, files: ["src/**/*.tsx"] },
  {
    files: ["src/**/*.tsx"],
    rules: {
      // A scrolled region must be reachable by keyboard.
      "jsx-a11y/no-noninteractive-tabindex": [
        "error",
        { tags: ["article", "ol", "pre"], roles: ["log", "region", "tabpanel"], allowExpressionValues: true },
      ],
    },
  },
  { files: ["src/api/**"], rules: layers(not("shared"), not("events"), not("features"), not("app")) },
  { files: ["src/shared/**"], rules: layers(not("events"), not("features"), not("app")) },
  { files: ["src/events/**"], rules: layers(not("features"), not("app")) },
  { files: ["src/features/*/*"], rules: layers(strangers("../*"), not("app")) },
  { files: ["src/features/*/*/*"], rules: layers(strangers("../../*"), not("app")) },
);
