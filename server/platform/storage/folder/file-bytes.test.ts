import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fileBytes } from './file-bytes.ts'

test('an open error reaches the reader, however late it reads', async () => {
  const bytes = fileBytes('/nowhere/at-all')
  await sleep(50)
  await expect(bytes.toArray()).rejects.toMatchObject({ code: 'ENOENT' })
})
