import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/platform/config.ts'
import { createLog } from '../../server/platform/logging/log.ts'
import { collector } from '../../server/platform/process/garbage.ts'

/**
 * Runs the service in its own process, to measure its CPU time. Reports its address and a token; answers `cpu` with its
 * CPU time (microseconds) and `memory` with the memory in use after a collection (megabytes).
 */
const [databaseUrl, folder] = process.argv.slice(2) as [string, string]
const unlimited = '1000000000'
const config = readConfig(
  {
    CAIRN_DATA_DIR: folder,
    CAIRN_LOG_LEVEL: 'silent',
    CAIRN_LIMIT_KEY_PER_MINUTE: unlimited,
    CAIRN_LIMIT_PLAYER_PER_MINUTE: unlimited,
    CAIRN_LIMIT_USER_PER_MINUTE: unlimited,
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: unlimited,
    CAIRN_LIMIT_UPLOADS_PER_HOUR: unlimited,
    CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '1000000000000',
    CAIRN_UPLOAD_MAX_BYTES: '2000000000',
    ...JSON.parse(process.env.CAIRN_BENCH_SETTINGS ?? '{}'),
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
const { token } = await app.identity.openFor(await app.localUser('bench'))
process.on('message', (what) => process.send!(what === 'memory' ? megabytesInUse() : microseconds()))
process.on('disconnect', () => void app.stop().then(() => process.exit(0)))
process.send!({ url, token })

function microseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function megabytesInUse(): number {
  const collect = collector()
  for (let i = 0; i < 2; i++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
