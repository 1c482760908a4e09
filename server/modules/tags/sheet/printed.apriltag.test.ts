import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { detectTags } from '../detector/detector.ts'
import { sheetOf } from './sheet.ts'

const DPI = 100

test('a sheet that poppler draws has its tags in their size, and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-sheet-'))
  try {
    writeFileSync(join(folder, 'sheet.pdf'), sheetOf({ ids: [0, 1, 2, 3, 4, 5], size: 80, paper: 'a4' }))
    const words = ['-r', String(DPI), '-png', '-gray', join(folder, 'sheet.pdf'), join(folder, 'page')]
    const { status, stderr } = spawnSync('/usr/bin/pdftoppm', words)
    expect([status, String(stderr)]).toEqual([0, ''])
    const found = []
    for (const page of [1, 2, 3]) {
      const { data, info } = await sharp(readFileSync(join(folder, `page-${page}.png`)))
        .grayscale()
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([info.width, info.height]).toEqual([827, 1170])
      found.push(...detectTags({ width: info.width, height: info.height, pixels: data }))
    }
    expect(found.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3, 4, 5])
    for (const { corners } of found) {
      const [[ax, ay], [bx, by]] = corners
      expect(Math.abs((Math.hypot(bx - ax, by - ay) * 25.4) / DPI - 80)).toBeLessThan(0.5)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
