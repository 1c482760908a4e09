import { DamagedGrid, type FileBytes, textAt } from './bytes.ts'

/** A record of 16 bytes: a name of 8 bytes, and a value. */
const RECORD = 16
const HEADER_RECORDS = 11
const MAX_SUBGRIDS = 100_000

/**
 * Checks that a file is NTv2 (`.gsb`) with all the nodes that its headers declare. Format: GeoScience Canada, "NTv2
 * Developer's Guide"; an overview header of 11 records, then for each subgrid a header of 11 and its nodes.
 * @throws DamagedGrid
 */
export function checkNtv2(bytes: FileBytes): void {
  const overview = bytes.at(0, HEADER_RECORDS * RECORD)
  if (textAt(overview, 0, 8) !== 'NUM_OREC') throw new DamagedGrid('it is not an NTv2 file')
  const isLittle = overview.getInt32(8, true) === HEADER_RECORDS
  const count = overview.getInt32(2 * RECORD + 8, isLittle)
  if (count < 1 || count > MAX_SUBGRIDS) throw new DamagedGrid(`its header announces ${count} subgrids`)
  let at = HEADER_RECORDS * RECORD
  for (let subgrid = 0; subgrid < count; subgrid++) {
    const header = bytes.at(at, HEADER_RECORDS * RECORD)
    if (textAt(header, 0, 8) !== 'SUB_NAME') throw new DamagedGrid(`its subgrid ${subgrid + 1} has no header`)
    const value = (record: number) => header.getFloat64(record * RECORD + 8, isLittle)
    const [south, north, east, west, latitudeStep, longitudeStep] = [4, 5, 6, 7, 8, 9].map(value) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const nodes = header.getInt32(10 * RECORD + 8, isLittle)
    const announced = (Math.round((north - south) / latitudeStep) + 1) * (Math.round((west - east) / longitudeStep) + 1)
    if (nodes !== announced) throw new DamagedGrid(`its subgrid ${subgrid + 1} does not have the nodes of its extent`)
    at += (HEADER_RECORDS + nodes) * RECORD
  }
  if (at > bytes.size) throw new DamagedGrid('it ends early')
}
