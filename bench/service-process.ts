import { createApp } from '../server/app.ts'
import { readConfig } from '../server/platform/config.ts'
import { createLog } from '../server/platform/log.ts'

/** The service in a process of its own, so that its CPU time can be told from its clients'. Says where it is and how to get in; answers every later message with the CPU time it has used (microseconds). */
const [databaseUrl, folder] = process.argv.slice(2) as [string, string]
const unlimited = '1000000000'
const config = readConfig(
  {
    CAIRN_DATA_DIR: folder,
    CAIRN_LOG_LEVEL: 'silent',
    CAIRN_LIMIT_KEY_PER_MINUTE: unlimited,
    CAIRN_LIMIT_USER_PER_MINUTE: unlimited,
    CAIRN_LIMIT_ADDRESS_PER_MINUTE: unlimited,
    CAIRN_LIMIT_UPLOADS_PER_HOUR: unlimited,
    CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '1000000000000',
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
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
process.on('disconnect', () => void app.stop().then(() => process.exit(0)))
process.send!({ url, token })
