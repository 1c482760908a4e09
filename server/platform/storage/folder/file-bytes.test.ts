import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fileBytes } from './file-bytes.ts'

test('a file that cannot be opened is told to who reads, however late', async () => {
  const bytes = fileBytes('/nowhere/at-all')
  await sleep(50)
  await expect(bytes.toArray()).rejects.toMatchObject({ code: 'ENOENT' })
})
