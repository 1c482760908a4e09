import { readFile } from 'node:fs/promises'

/** The version of this release, from package.json. */
export const release = async (): Promise<string> =>
  JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')).version
