import { spawn } from 'node:child_process'
import { bareEnvironment, ROOT } from './process.ts'
import type { Service } from './service.ts'

/** Runs `cairn …` beside a running service, on its database and folder. */
export const runCommandOn = (
  service: Service,
  words: string[],
  settings: Record<string, string> = {},
  reading: { isUnread?: boolean } = {},
) =>
  runCommand(
    words,
    {
      CAIRN_DATA_DIR: service.folder,
      // The embedded database uses a socket file without a host; the setting requires one, and the file takes precedence.
      CAIRN_DATABASE_URL: service.databaseUrl.replace('@/', '@localhost/'),
      CAIRN_SECRET: 'a secret of the tests, long enough',
      ...service.storage,
      ...settings,
    },
    reading,
  )

/** Runs `cairn …` with only these settings; `isUnread` closes the reader of its output. */
export async function runCommand(words: string[], settings: Record<string, string>, { isUnread = false } = {}) {
  const child = spawn(process.execPath, ['server/cli.ts', ...words], {
    cwd: ROOT,
    env: { ...bareEnvironment(), ...settings },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  if (isUnread) child.stdout.destroy()
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, out, err }
}
