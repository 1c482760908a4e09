import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/platform/config.ts'
import { createLog } from '../../server/platform/logging/log.ts'

/** Runs the service in its own process and reports the costs of its main thread. */
export type Question =
  | { ask: 'user'; name: string; roles: string[] }
  | { ask: 'begin'; watchesTurns: boolean }
  | { ask: 'end' }
/** CPU time of the main thread, its maximum in one event loop turn if turns were watched, and the memory of the process. */
export type Spent = { cpuMs: number; longestMs: number; megabytes: number }

const unlimited = '1000000000'
const [databaseUrl, folder] = process.argv.slice(2) as [string, string]
const config = readConfig(
  {
    CAIRN_DATA_DIR: folder,
    CAIRN_LOG_LEVEL: 'silent',
    CAIRN_BOX_ISSUER: 'on',
    CAIRN_LIMIT_KEY_PER_MINUTE: unlimited,
    CAIRN_LIMIT_PLAYER_PER_MINUTE: unlimited,
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
let before = process.threadCpuUsage()
let longestMs = 0
let ticks: NodeJS.Timeout | undefined

/**
 * Measures CPU time between two ticks of a timer, i.e. of one event loop turn. CPU time, since other programs use the
 * machine too. The timer itself takes 20 to 40 ms of CPU a second: do not measure the cost of a request meanwhile.
 */
function watchTurns() {
  let last = msOf(process.threadCpuUsage())
  ticks = setInterval(() => {
    const now = msOf(process.threadCpuUsage())
    longestMs = Math.max(longestMs, now - last)
    last = now
  }, 1)
}

function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

const answers = {
  async user({ name, roles }: { name: string; roles: string[] }) {
    const user = await app.localUser(name, roles)
    return { id: user.id, token: (await app.identity.openFor(user)).token }
  },
  async begin({ watchesTurns }: { watchesTurns: boolean }) {
    longestMs = 0
    if (watchesTurns) watchTurns()
    before = process.threadCpuUsage()
    return {}
  },
  async end(): Promise<Spent> {
    clearInterval(ticks)
    const megabytes = process.memoryUsage.rss() / 2 ** 20
    return { cpuMs: msOf(process.threadCpuUsage(before)), longestMs, megabytes }
  },
}
process.on('message', (question: Question) => {
  void answers[question.ask](question as never).then((answer) => process.send!(answer))
})
process.on('disconnect', () => void app.stop().then(() => process.exit(0)))
process.send!({ url })
