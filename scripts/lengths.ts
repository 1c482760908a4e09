import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Lines that a file of code may have, tests included. */
const MOST = 300
/** Source files that a folder may have, without tests. */
const MOST_OF_FOLDER = 15
/** Generated files and what is installed. Data, lock files and pages are not code. */
const LEFT_OUT = ['**/node_modules/**', '**/dist/**', 'web/dist-*/**', 'sdk/generated/**', 'fuzz-out/**', 'tmp/**']

const root = join(import.meta.dirname, '..')
const files = globSync('**/*.{ts,tsx,css,html,sh,py,sql}', { cwd: root, exclude: LEFT_OUT })
const found = files.flatMap((file) => {
  const lines = readFileSync(join(root, file), 'utf8').replace(/\n$/, '').split('\n').length
  return lines > MOST ? [`${file}: ${lines} lines: split it by subject, ${MOST} at most`] : []
})
const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
for (const [folder, inside] of Map.groupBy(sources, dirname))
  if (inside.length > MOST_OF_FOLDER)
    found.push(`${folder}: ${inside.length} source files: divide it by subject, ${MOST_OF_FOLDER} at most`)
if (found.length > 0) console.error(found.toSorted().join('\n'))
process.exitCode = found.length > 0 ? 1 : 0
