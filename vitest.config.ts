import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,usdz,scripts}/**/*.test.ts'],
    // Tests in a browser, on S3 and with GDAL run where there is one: npm run test:services.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.CAIRN_TEST_BROWSER ? [] : ['**/*.browser.test.ts']),
      ...(process.env.CAIRN_TEST_GDAL ? [] : ['**/*.gdal.test.ts']),
      ...(process.env.CAIRN_TEST_S3_URL ? [] : ['**/*.s3.test.ts']),
    ],
    globalSetup: ['server/test/postgres.ts'],
    setupFiles: ['server/test/seed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // For what hangs, not for what is slow: a busy machine takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
})
