import pg from 'pg'
import { createApp } from '../../app.ts'
import { readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/logging/log.ts'
import { createTestDatabase } from '../database.ts'
import { cleanUp, newFolder, type ServiceProcess, startProcess } from '../process.ts'

const SECRET = 'a secret of the tests, long enough'

/** A service in its own process that is killed and restarted, on a persistent database and folder.
 * @param settings CAIRN_* settings of the process @param userName the user of its token */
export async function killedService(settings: Record<string, string> = {}, userName = 'somebody') {
  const folder = await newFolder()
  const database = await createTestDatabase()
  const sql = new pg.Client({ connectionString: database.url })
  await sql.connect()

  /** The service on the same data in this process, while the other one is down. */
  async function inThisProcess<T>(work: (app: Awaited<ReturnType<typeof createApp>>) => Promise<T>): Promise<T> {
    const config = readConfig({ CAIRN_DATA_DIR: folder }, '')
    const app = await createApp({ config, databaseUrl: database.url, secret: SECRET, log: createLog('silent') })
    try {
      return await work(app)
    } finally {
      await app.stop()
    }
  }

  const token = await inThisProcess(async (app) => {
    await app.start({ host: '127.0.0.1', port: 0 })
    return (await app.identity.openFor(await app.localUser(userName))).token
  })
  const start = () =>
    startProcess(folder, {
      settings: {
        // The setting requires a host, although a socket folder takes precedence.
        CAIRN_DATABASE_URL: database.url.replace('@/', '@localhost/'),
        CAIRN_SECRET: SECRET,
        ...settings,
      },
    })
  let service: ServiceProcess = await start()

  return {
    folder,
    sql,
    token,
    inThisProcess,
    /** Its current URL: each process has a port of its own. */
    url: () => service.url,
    pid: () => service.child.pid!,

    /** Ends the process and waits until it is gone. @returns its exit code, or the signal */
    kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<number | string> {
      service.child.kill(signal)
      return service.ended
    },

    async startAgain(): Promise<void> {
      service = await start()
    },

    async stop(): Promise<void> {
      await sql.end()
      await cleanUp(folder, service)
      await database.drop()
    },
  }
}
