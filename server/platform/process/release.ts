import { readFile } from 'node:fs/promises'

/** Which release this is: the version in package.json. */
export const release = async (): Promise<string> =>
  JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')).version
