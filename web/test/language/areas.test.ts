import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')
const LAZY = /(?:withTexts|page)\(\s*\(\) =>\s*import\('([^']+)'\)([^)]*)\)/g
const ALWAYS = ['common', 'shell']

/** What a module imports of the console, what it loads with the texts of areas, and the areas that it reads. */
function read(file: string) {
  const source = readFileSync(file, 'utf8')
  const at = (path: string) => join(dirname(file), path)
  const lazy = [...source.matchAll(LAZY)].map(([, path, areas]) => ({
    file: at(path!),
    areas: [...areas!.matchAll(/'([a-z]\w*)'/g)].map(([, area]) => area!),
  }))
  const others = [...source.replace(LAZY, '').matchAll(/(?:from |import\(|^import )'(\.[^']+\.tsx?)'/gm)]
  return {
    lazy,
    imports: others.map(([, path]) => at(path!)).filter((path) => !path.includes('/messages/')),
    areas: [...source.matchAll(/\bmessages\.(\w+)/g)].map(([, area]) => area!),
  }
}

/** The areas that a module and all it imports read, and what these load with texts. */
function readAll(start: string) {
  const areas = new Set<string>()
  const lazy = new Map<string, string[]>()
  const seen = new Set<string>()
  const queue = [start]
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (seen.has(file) || !file.startsWith(`${SRC}/`)) continue
    seen.add(file)
    const found = read(file)
    for (const area of found.areas) if (!ALWAYS.includes(area)) areas.add(area)
    for (const one of found.lazy) lazy.set(one.file, one.areas)
    queue.push(...found.imports)
  }
  return { areas: [...areas].sort(), lazy }
}

test('the frame of the console reads no texts but those that are always loaded', () => {
  expect(readAll(join(SRC, 'start.tsx')).areas).toEqual([])
})

const pages = [...readAll(join(SRC, 'start.tsx')).lazy].map(([file, areas]) => [file.slice(SRC.length), areas] as const)

test.each(pages)('%s is loaded with the texts that it reads', (file, areas) => {
  expect(areas.toSorted()).toEqual(readAll(SRC + file).areas)
})
