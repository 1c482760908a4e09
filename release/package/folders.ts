import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** Where the package is built; the other forms of a release are made of it. */
export const TARGET = join(ROOT, 'dist', 'package')

/** The folders of the packages that it contains, relative to ROOT, as a JSON array. */
export const CONTAINED = join(ROOT, 'dist', 'contained.json')

/** The folder of an installed package. */
export const installed = (name: string): string => join(ROOT, 'node_modules', name)
