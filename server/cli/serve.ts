import type { Command, Group } from './command.ts'
import { assertNoArguments, readOptions } from './context.ts'

const ADDRESS = { host: { type: 'string' }, port: { type: 'string' } } as const
const OPTIONS: Command['options'] = [
  ['--port N', 'listen on this port instead of CAIRN_PORT; 0 chooses a free one'],
  ['--host ADDRESS', 'listen on this address instead of CAIRN_HOST'],
]

/** Serves, or works on jobs, until it is stopped. */
async function run(args: string[], settings: Record<string, string>) {
  const { values, positionals } = readOptions(args, ADDRESS)
  assertNoArguments(positionals)
  // The service is loaded for these two commands only.
  const { serve } = await import('../serve.ts')
  await serve({
    ...settings,
    ...(values.port !== undefined && { CAIRN_PORT: values.port }),
    ...(values.host !== undefined && { CAIRN_HOST: values.host }),
  })
}

export const SERVING: Group = {
  title: 'Running the service',
  commands: [
    {
      words: 'serve',
      alias: 'start',
      usage: '[--port N] [--host ADDRESS]',
      summary: 'run the service until SIGTERM or Ctrl-C',
      about:
        'Serves HTTP and works on jobs (CAIRN_ROLE=all), or only serves (CAIRN_ROLE=api). Without CAIRN_DATABASE_URL it runs its\nown PostgreSQL in the data folder. Migrates the database first. CAIRN_PROCESSES=auto serves with all cores.\nThe word start does the same.',
      options: OPTIONS,
      examples: [
        ['cairn serve', 'on http://127.0.0.1:8080, with everything in ./data'],
        ['CAIRN_ROLE=api cairn serve --port 9000', 'serves on port 9000; workers run the jobs'],
      ],
      run: (args) => run(args, {}),
    },
    {
      words: 'worker',
      usage: '[--port N] [--host ADDRESS]',
      summary: 'work on jobs beside the serving process',
      about:
        'Conversions, imports and all other jobs. Needs the same database, secret and files as the service; serves only /healthz,\n/readyz and /metrics on its port. Start as many as you need.',
      options: OPTIONS,
      examples: [['cairn worker --port 8081', 'one more worker on this machine']],
      run: (args) => run(args, { CAIRN_ROLE: 'worker' }),
    },
  ],
}
