import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { VIEWER_STYLE } from '../../../server/platform/http/console/console-policy.ts'

test('the page’s policy lets through the stylesheet of the model viewer that is installed, and no other', async () => {
  const viewer = createRequire(import.meta.url).resolve('@google/model-viewer/lib/template.js')
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(await readFile(viewer, 'utf8'))!
  expect(`sha256-${createHash('sha256').update(style!).digest('base64')}`).toBe(VIEWER_STYLE)
})
