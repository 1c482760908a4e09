import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { png } from '../../test/content/glb.ts'
import { databaseError } from '../database/database-errors.ts'
import { PNG } from './image-kinds.ts'
import { createImages } from './images.ts'

const FULL = '/dev/full'

test.runIf(existsSync(FULL))(
  'a full disk during the write of an image is not reported as an error of the image',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-images-'))
    const images = createImages({ folder })
    const rules = { kinds: [PNG], maxBytes: 1e6, maxSaid: '1 MB', animated: false }
    const bytes = (async function* () {
      yield new Uint8Array(png)
    })()
    const image = await images.take(bytes, rules, 'somebody')
    const written = images.make(image, { maxPixels: 1e6 }, (made) => writeFile(FULL, made))
    const error = await written.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(databaseError(error)).toMatchObject({ status: 507 })
    await images.close()
    await rm(folder, { recursive: true })
  },
)
