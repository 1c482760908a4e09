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

test("the issuer's library is loaded before the first request, and not at all if the issuer is off", {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const folder = await newFolder()
  const command = [process.execPath, '--import', TELLING, join(ROOT, 'server', 'main.ts')]
  try {
    for (const [setting, loads] of [
      ['on', true],
      ['off', false],
    ] as const) {
      const settings = { CAIRN_BOX_ISSUER: setting, CAIRN_DRAIN_SECONDS: '0' }
      const service = await startProcess(folder, { command, settings })
      expect([setting, service.output().includes('loads the issuer')]).toEqual([setting, loads])
      service.child.kill('SIGTERM')
      await service.ended
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
