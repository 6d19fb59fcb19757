import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { precompressed } from "./scripts/compress.ts";

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const server = process.env.PILOTHOUSE_SERVER ?? "http://127.0.0.1:3333";

export default defineConfig({
  plugins: [react(), tailwindcss(), precompressed()],
  resolve: { alias: { "@": folder("./src"), "@words": folder("../src/pilothouse/words") } },
  build: {
    // Not where a running server reads: tools/frontend.py takes it over from here.
    outDir: folder("../.make/pages.new"),
    emptyOutDir: true,
    target: "es2022",
    // The content security policy forbids data: scripts, and small files cost nothing over one connection.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: [".", "../src/pilothouse/words"] },
    proxy: {
      "/api": { target: server },
      "/health": { target: server },
      "/ws": { target: server, ws: true },
    },
  },
  test: {
    environment: "jsdom",
    globals: true,
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
    testTimeout: 30_000,
    // By default one core is left for a person who waits for the next run: half of a machine with two.
    maxWorkers: "100%",
    coverage: {
      provider: "v8",
      include: ["src/**/*.{ts,tsx}"],
      exclude: ["src/api/schema.ts", "src/main.tsx", "src/test/**", "src/**/*.test.{ts,tsx}"],
      thresholds: { lines: 70, functions: 70, statements: 70, branches: 70 },
      reporter: ["text-summary", "text"],
    },
  },
});
