import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SERVER = join(import.meta.dirname, '..', '..', '..', 'server')
const run = promisify(execFile)

/** Starts Cairn with its embedded database on a free port. */
export async function startService(folder: string) {
  // Excludes the settings of any other Cairn on this machine.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('CAIRN_'))
  const own = { CAIRN_DATA_DIR: folder, CAIRN_PORT: '0', CAIRN_LOG_LEVEL: 'warn' }
  const env = { ...Object.fromEntries(others), ...own }
  // Detached, so that Ctrl-C reaches only the hunt, which then stops Cairn.
  const child = spawn(process.execPath, [join(SERVER, 'main.ts')], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let output = ''
    const listen = (chunk: Buffer) => {
      output += chunk
      const [, url] = /Cairn is at (http:\S+)/.exec(output) ?? []
      if (url) resolve(url)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void ended.then(() => reject(new Error(`Cairn did not start:\n${output}`)))
  })
  return {
    baseUrl,
    /** Creates a session for a local user with the operator's command line. In production, users sign in with a password or your identity provider. */
    async sessionFor(name: string): Promise<string> {
      const { stdout } = await run(process.execPath, [join(SERVER, 'cli.ts'), 'user', 'token', '--name', name], { env })
      return stdout.trim()
    },
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
