import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SERVER = join(import.meta.dirname, '..', '..', '..', 'server')
const run = promisify(execFile)

/** Starts Cairn with the database in the box, on a port that is free. */
export async function startService(folder: string) {
  // Not the settings of another Cairn on this machine.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('CAIRN_'))
  const own = { CAIRN_DATA_DIR: folder, CAIRN_PORT: '0', CAIRN_LOG_LEVEL: 'warn' }
  const env = { ...Object.fromEntries(others), ...own }
  // Detached: Ctrl-C is for the hunt, which then ends Cairn.
  const child = spawn(process.execPath, [join(SERVER, 'main.ts')], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk
      const [, url] = /Cairn is at (http:\S+)/.exec(said) ?? []
      if (url) resolve(url)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void ended.then(() => reject(new Error(`Cairn did not start:\n${said}`)))
  })
  return {
    baseUrl,
    /** A session of a local user, as the operator's command line gives it. Elsewhere people sign in with a password or your identity provider. */
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
