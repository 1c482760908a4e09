import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,usdz,scripts}/**/*.test.ts'],
    globalSetup: ['server/test/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
})
