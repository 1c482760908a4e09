import { loadProjAhead, projPaths } from '../reference-systems/proj/library.ts'
import { openGdal } from './gdal.ts'
import { gdalPaths } from './module.ts'

/** PROJ and GDAL, which a sandboxed process loads on first use: some files need neither, and they take 150 MB. */
export const projAndGdal = {
  load: () => Promise.all([loadProjAhead(), openGdal()]),
  paths: () => [...projPaths(), ...gdalPaths()],
}
