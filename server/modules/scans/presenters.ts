import { WAITS_FOR_DISK } from '../../platform/job-disk-check.ts'
import type { Scan } from './schema.ts'
import type { ScanRow } from './store.ts'

type Deps = {
  /** The address of an object, for whoever may see it. */
  plain: (key: string) => string
  /** The address of an object, with a signature that lets its bearer see it for a while. */
  signed: (key: string) => string
  /** Whether scans wait for room before they are processed. */
  isHeld: () => boolean
}

/** How scans are told to those who may see them. */
export function scanPresenters({ plain, signed, isHeld }: Deps) {
  const toResponse = (row: ScanRow, addressOf: (key: string) => string): Scan => {
    const { userId, appId, error, fileKey, mimeType, sha256, previewKey, usdzKey, capturedFrom, ...scan } = row
    return {
      ...scan,
      notes: scan.status === 'PENDING' && isHeld() ? [...scan.notes, WAITS_FOR_DISK] : scan.notes,
      scanUrl: addressOf(fileKey),
      previewImageUrl: previewKey && addressOf(previewKey),
      usdzUrl: usdzKey && addressOf(usdzKey),
      ...(error === null ? {} : { error }),
    }
  }

  return {
    scan: (row: ScanRow): Scan => toResponse(row, row.visibility === 'private' ? signed : plain),
    /** As it is told to others than its owner: an event may lie about for days, and no signature goes with it. */
    event: (row: ScanRow): Scan => toResponse(row, plain),
  }
}

export type ScanPresenters = ReturnType<typeof scanPresenters>
