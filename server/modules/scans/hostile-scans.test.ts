import { expect, test } from 'vitest'
import { convert } from '../../../usdz/index.ts'
import { mutate } from '../../../usdz/test/fuzz/mutants.ts'
import { randomFrom } from '../../../usdz/test/fuzz/random.ts'
import { boxGlb } from '../../test/content/glb.ts'
import { lasFile, objFile, plyFile, splatFile } from '../../test/content/scan-files.ts'
import { ScanFault } from './processing/inspection.ts'
import { createScanInspector } from './processing/scan-inspector.ts'

/** Damaged files of each kind; `CAIRN_TEST_ROUNDS=1000` sends more. */
const rounds = Number(process.env.CAIRN_TEST_ROUNDS ?? 6)

test('a damaged file is read, or fails its scan with an error; nothing crashes or hangs', {
  tags: ['long'],
  timeout: 600_000,
}, async () => {
  const inspector = createScanInspector({ seconds: 60 })
  const glb = boxGlb()
  const files = {
    glb,
    usdz: (await convert(glb)).usdz,
    ascii: plyFile(),
    little: plyFile({ format: 'binary_little_endian' }),
    cloud: plyFile({ format: 'binary_big_endian', faces: false }),
    splats: splatFile(),
    obj: objFile(),
    las: lasFile({ count: 20 }),
  }
  const random = randomFrom(20261122)
  try {
    for (const [name, file] of Object.entries(files)) {
      for (let round = 0; round < rounds; round++) {
        const mutant = mutate(new Uint8Array(file), random)
        const bytes = (async function* () {
          yield mutant
        })()
        const scan = { bytes, size: mutant.length, fileName: '', mimeType: '' }
        const outcome = await inspector.inspect(scan, AbortSignal.timeout(120_000)).catch((error: unknown) => error)
        const isFault = outcome instanceof ScanFault
        // A fault with a cause means that the file ended its process.
        if (outcome instanceof Error && (!isFault || outcome.cause || outcome.code === 'late'))
          throw new Error(`${name}, round ${round}`, { cause: outcome })
        if (isFault) expect(outcome.message).toMatch(/^.{10,}\.$/s)
      }
    }
  } finally {
    await inspector.close()
  }
})
