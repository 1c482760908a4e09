import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** Where the package is built; the other forms of a release are made of it. */
export const TARGET = join(ROOT, 'dist', 'package')

/** The folder of an installed package. */
export const installed = (name: string): string => join(ROOT, 'node_modules', name)
