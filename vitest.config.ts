import { configDefaults, defineConfig } from 'vitest/config'
import { Failures } from './server/test/runner/failure-reporter.ts'
import { LongestFirst } from './server/test/runner/longest-first.ts'

const { CAIRN_TEST_FAILURES } = process.env

export default defineConfig({
  test: {
    include: ['{server,usdz,sdk,sdk-csharp,web,examples,faults,release,scripts}/**/*.test.ts'],
    // Tests in a browser, on S3, with Redis, with GDAL or QGIS, with Mono, beside PROJ and libapriltag and on several machines run where there is one: npm run test:services.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.CAIRN_TEST_BROWSER ? [] : ['**/*.browser.test.ts']),
      ...(process.env.CAIRN_TEST_GDAL ? [] : ['**/*.gdal.test.ts']),
      ...(process.env.CAIRN_TEST_QGIS ? [] : ['**/*.qgis.test.ts']),
      ...(process.env.CAIRN_TEST_APRILTAG ? [] : ['**/*.apriltag.test.ts']),
      ...(process.env.CAIRN_TEST_PROJ ? [] : ['**/*.proj.test.ts']),
      ...(process.env.CAIRN_TEST_S3_URL ? [] : ['**/*.s3.test.ts']),
      ...(process.env.CAIRN_TEST_MACHINES ? [] : ['**/*.machines.test.ts']),
      ...(process.env.CAIRN_TEST_MONO ? [] : ['**/*.mono.test.ts']),
      // npm run test:install
      ...(process.env.CAIRN_TEST_INSTALL ? [] : ['**/*.install.test.ts']),
      ...(process.env.CAIRN_TEST_REDIS_URL ? [] : ['**/*.redis.test.ts']),
    ],
    // `npm test` leaves these to `npm run test:long`.
    tags: [
      {
        name: 'long',
        description:
          'Kills processes, runs whole commands, plays many random cases or compares with programs of others',
      },
    ],
    globalSetup: ['server/test/runner/postgres.ts'],
    setupFiles: ['server/test/runner/before-each-file.ts'],
    pool: 'forks',
    // Files share a process and what it has loaded: half of the time went into loading the same again. `--isolate` gives each one of its own.
    isolate: false,
    // A service that starts makes many short-lived objects: with more space for them, tests take 8 % less CPU.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    // More than the cores of a small machine: much of a test is waiting for a process, a timer or a disk.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // For what hangs, not for what is slow: a busy machine takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new Failures(CAIRN_TEST_FAILURES)],
  },
})
