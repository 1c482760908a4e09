import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/platform/config.ts'
import { createLog } from '../../server/platform/log.ts'

/** The service in a process of its own, that tells what its main thread does. */
export type Question = { ask: 'user'; name: string; roles: string[] } | { ask: 'begin' } | { ask: 'end' }
/** CPU of the main thread, the longest time for which it did nothing else, and the memory of the process. */
export type Spent = { cpuMs: number; longestMs: number; megabytes: number }

const unlimited = '1000000000'
const [databaseUrl, folder] = process.argv.slice(2) as [string, string]
const config = readConfig(
  {
    CAIRN_DATA_DIR: folder,
    CAIRN_LOG_LEVEL: 'silent',
    CAIRN_BOX_ISSUER: 'on',
    CAIRN_LIMIT_KEY_PER_MINUTE: unlimited,
    CAIRN_LIMIT_USER_PER_MINUTE: unlimited,
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: unlimited,
    CAIRN_LIMIT_EXCHANGES_PER_MINUTE: unlimited,
    CAIRN_LIMIT_UPLOADS_PER_HOUR: unlimited,
    CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '1000000000000',
  },
  '',
)
const app = await createApp({
  config,
  databaseUrl,
  secret: 'a secret of the benchmarks, long enough',
  log: createLog('silent'),
})
const url = await app.start({ host: '127.0.0.1', port: 0 })
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let before = process.threadCpuUsage()

const answers = {
  async user({ name, roles }: { name: string; roles: string[] }) {
    const user = await app.localUser(name, roles)
    return { id: user.id, token: (await app.identity.openFor(user)).token }
  },
  async begin() {
    delay.reset()
    before = process.threadCpuUsage()
    return {}
  },
  async end(): Promise<Spent> {
    const { user, system } = process.threadCpuUsage(before)
    const megabytes = process.memoryUsage.rss() / 2 ** 20
    // The histogram counts from the turn before: its own tick of a millisecond is in it.
    return { cpuMs: (user + system) / 1000, longestMs: Math.max(0, delay.max / 1e6 - 1), megabytes }
  },
}
process.on('message', (question: Question) => {
  void answers[question.ask](question as never).then((answer) => process.send!(answer))
})
process.on('disconnect', () => void app.stop().then(() => process.exit(0)))
process.send!({ url })
