import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, ROOT, startProcess } from '../../test/process.ts'

/** Reports when the issuer's library is loaded. */
const TELLING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      if (url.endsWith('oidc-provider/lib/index.js')) console.log('loads the issuer')
      return next(url, context)
    },
  })`)}`

test("the issuer's library is loaded by the first request to it, and not at all if the issuer is off", {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const folder = await newFolder()
  const command = [process.execPath, '--import', TELLING, join(ROOT, 'server', 'main.ts')]
  try {
    for (const [setting, status] of [
      ['on', 200],
      ['off', 404],
    ] as const) {
      const settings = { CAIRN_BOX_ISSUER: setting, CAIRN_DRAIN_SECONDS: '0' }
      const service = await startProcess(folder, { command, settings })
      expect([setting, service.output().includes('loads the issuer')]).toEqual([setting, false])
      const answer = await fetch(`${service.url}/oidc/.well-known/openid-configuration`)
      expect([setting, answer.status]).toEqual([setting, status])
      expect([setting, service.output().includes('loads the issuer')]).toEqual([setting, status === 200])
      service.child.kill('SIGTERM')
      await service.ended
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
