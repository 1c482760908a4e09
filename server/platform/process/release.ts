import { readFile } from 'node:fs/promises'
import { projectFile } from './project-files.ts'

/** The version of this release, from package.json. */
export const release = async (): Promise<string> =>
  JSON.parse(await readFile(projectFile('package.json'), 'utf8')).version
