import type { Command, Group } from './command.ts'
import { assertNoArguments, readOptions } from './context.ts'

const ADDRESS = { host: { type: 'string' }, port: { type: 'string' } } as const
const OPTIONS: Command['options'] = [
  ['--port N', 'listen on this port: CAIRN_PORT for this once; 0 takes a free one'],
  ['--host ADDRESS', 'listen on this address: CAIRN_HOST for this once'],
]

/** Serves, or works on jobs, until it is told to stop. */
async function run(args: string[], settings: Record<string, string>) {
  const { values, positionals } = readOptions(args, ADDRESS)
  assertNoArguments(positionals)
  // What serves is loaded for these two commands alone.
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
      usage: '[--port N] [--host ADDRESS]',
      summary: 'run the service until SIGTERM or Ctrl-C',
      about:
        'Serves HTTP and works on jobs (CAIRN_ROLE=all), or serves alone (CAIRN_ROLE=api). Without CAIRN_DATABASE_URL it runs a\nPostgreSQL of its own in the data folder. It brings the database up to date first. One process serves a database.',
      options: OPTIONS,
      examples: [
        ['cairn serve', 'on http://127.0.0.1:8080, with everything in ./data'],
        ['CAIRN_ROLE=api cairn serve --port 9000', 'serve on port 9000 and leave the jobs to workers'],
      ],
      run: (args) => run(args, {}),
    },
    {
      words: 'worker',
      usage: '[--port N] [--host ADDRESS]',
      summary: 'work on jobs beside the process that serves',
      about:
        'Conversions, imports and what else outlives a request. Needs the same database, secret and files as the service; answers\n/healthz, /readyz and /metrics on its port and nothing else. Start as many as you like.',
      options: OPTIONS,
      examples: [['cairn worker --port 8081', 'one more worker on this machine']],
      run: (args) => run(args, { CAIRN_ROLE: 'worker' }),
    },
  ],
}
