import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/integrations/**", "node_modules/**"],
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    execArgv: ["--expose-gc"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
