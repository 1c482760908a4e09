import { readdirSync, readFileSync } from 'node:fs'

/** The committed models with their names, by name. */
export function sampleModels(): [name: string, glb: Uint8Array][] {
  return readdirSync(new URL('../models/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.glb'))
    .map((path): [string, Uint8Array] => [
      path.replace(/^.*[/\\]|\.glb$/g, ''),
      new Uint8Array(readFileSync(new URL(`../models/${path}`, import.meta.url))),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Returns a committed model. */
export function sampleModel(name: string): Uint8Array {
  const found = sampleModels().find(([known]) => known === name)
  if (!found) throw new Error(`There is no model ${name}.`)
  return found[1]
}
