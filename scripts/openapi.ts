import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/platform/config.ts'
import { createLog } from '../server/platform/logging/log.ts'

/**
 * Writes openapi.json from the route schemas, and then the client types. With --check it only tests whether they are up
 * to date. Needs no database.
 */
const FILE = fileURLToPath(new URL('../openapi.json', import.meta.url))

const app = await createApp({
  config: readConfig({ CAIRN_DATA_DIR: join(tmpdir(), 'cairn-openapi') }, ''),
  databaseUrl: 'postgres://none@127.0.0.1:1/none',
  secret: 'not used for a description, but long',
  log: createLog('silent'),
})
await app.http.ready()
const text = `${JSON.stringify(app.http.swagger(), null, 2)}\n`
await app.close()

if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error('openapi.json does not fit the routes: run npm run openapi and commit the result')
    process.exitCode = 1
  }
} else {
  writeFileSync(FILE, text)
  for (const generator of ['../sdk/generate.ts', '../sdk-csharp/generate.ts'])
    execFileSync(process.execPath, [fileURLToPath(new URL(generator, import.meta.url))], { stdio: 'inherit' })
  console.log(`openapi.json: ${Object.keys(app.http.swagger().paths ?? {}).length} paths`)
}
