import type { Part } from './part.ts'

/**
 * What is compiled into the WebAssembly of these npm packages, by package. Their manifests do not list it; the versions are
 * those that the files contain, and compiled.test.ts looks for them there.
 */
export const COMPILED: Record<string, Part[]> = {
  'gdal3.js': [
    { name: 'GDAL', version: '3.8.4', license: 'MIT', cpe: 'osgeo:gdal' },
    { name: 'PROJ', version: '9.3.1', license: 'MIT', cpe: 'osgeo:proj' },
    { name: 'EPSG Dataset', version: 'v10.098', license: 'LicenseRef-EPSG-terms-of-use', isData: true },
    { name: 'GEOS', version: '3.12.1', license: 'LGPL-2.1-or-later', cpe: 'osgeo:geos' },
    { name: 'SQLite', version: '3.45.1', license: 'blessing', cpe: 'sqlite:sqlite' },
    { name: 'LibTIFF', version: '4.6.0', license: 'libtiff', cpe: 'libtiff:libtiff' },
    { name: 'SpatiaLite', license: 'MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later' },
    { name: 'libgeotiff', license: 'MIT' },
    { name: 'libwebp', license: 'BSD-3-Clause' },
    { name: 'Expat', license: 'MIT' },
    { name: 'libiconv', license: 'LGPL-2.1-or-later' },
    { name: 'zlib', license: 'Zlib' },
  ],
  'proj-wasm': [
    { name: 'PROJ', version: '9.8.1', license: 'MIT', cpe: 'osgeo:proj' },
    { name: 'SQLite', version: '3.51.2', license: 'blessing', cpe: 'sqlite:sqlite' },
    { name: 'EPSG Dataset', version: 'v12.029', license: 'LicenseRef-EPSG-terms-of-use', isData: true },
  ],
  'libheif-js': [
    { name: 'libheif', version: '1.23.2', license: 'LGPL-3.0-or-later', cpe: 'struktur:libheif' },
    { name: 'libde265', license: 'LGPL-3.0-or-later', cpe: 'struktur:libde265' },
  ],
  three: [
    { name: 'Basis Universal transcoder', license: 'Apache-2.0' },
    { name: 'Zstandard', license: 'BSD-3-Clause', cpe: 'facebook:zstandard' },
  ],
}

/** Data and code that the package brings as files of its own. */
export const OWN_DATA: Part[] = [
  { name: 'AprilTag', version: '3.3.0', license: 'BSD-2-Clause' },
  { name: 'EGM96 geoid, us_nga_egm96_15.tif', license: 'LicenseRef-public-domain', isData: true },
  { name: 'GeoNames', license: 'CC-BY-4.0', isData: true },
  { name: 'Natural Earth 1:50m', license: 'LicenseRef-public-domain', isData: true },
]
