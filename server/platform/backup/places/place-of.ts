import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { folderPlace } from './folder-place.ts'
import type { BackupPlace } from './place.ts'
import { s3Place } from './s3-place.ts'

/** The place of scheduled backups that the settings name. */
export function placeOf(config: Config): BackupPlace {
  const bucket = config.CAIRN_BACKUP_S3_BUCKET
  if (bucket === undefined)
    return folderPlace({
      folder: config.CAIRN_BACKUP_DIR ?? join(config.CAIRN_DATA_DIR, 'backups'),
      reserve: config.CAIRN_DISK_RESERVE_BYTES,
    })
  return s3Place({
    settings: {
      endpoint: config.CAIRN_BACKUP_S3_ENDPOINT,
      region: config.CAIRN_BACKUP_S3_REGION,
      bucket,
      accessKeyId: config.CAIRN_BACKUP_S3_ACCESS_KEY_ID!,
      secretAccessKey: config.CAIRN_BACKUP_S3_SECRET_ACCESS_KEY!,
    },
    prefix: config.CAIRN_BACKUP_S3_PREFIX,
  })
}
