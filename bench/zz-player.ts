import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withTemporaryDatabase } from './databases/temporary-database.ts'
import { withTemporaryPostgres } from './databases/temporary-postgres.ts'
import { newBenchApp } from './processes/board-service.ts'
import { startRemoteService } from './worst/remote-service.ts'
import { send } from './load/http-client.ts'
await withTemporaryPostgres({}, (url) => withTemporaryDatabase(url, async (databaseUrl) => {
  const folder = mkdtempSync(join(tmpdir(), 'prof-'))
  process.execArgv = (process.env.PROF ?? '').split(' ').filter(Boolean)
  const service = await startRemoteService(databaseUrl, folder)
  const { token } = await service.user('bench', ['admin', 'ops'])
  const { id: app, apiKey } = await newBenchApp(service.url, token)
  const headers = { 'x-app-api-key': apiKey }
  const { body } = await service.request('POST', '/api/v1/apps/players', { displayName: 'A' }, headers)
  const path = `${service.url}/api/v1/apps/players/${body.id}`
  for (let turn = 0; turn < 4; turn++) {
    await service.begin(false); const t = performance.now(); const N = 4000
    for (let i = 0; i < N; i++) await send(path, { headers })
    const { cpuMs } = await service.end()
    console.log('us/request cpu', (cpuMs * 1000 / N).toFixed(0), 'wall', ((performance.now() - t) * 1000 / N).toFixed(0))
  }
  await service.stop(); rmSync(folder, { recursive: true, force: true })
}))
