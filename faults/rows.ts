import type { Row } from './row.ts'
import { backupUnderLoad } from './rows/database/backup-under-load.ts'
import { databaseAway, databaseStops } from './rows/database/database-stops.ts'
import { failover } from './rows/database/failover.ts'
import { partitionFromPostgres, partitionFromRedis } from './rows/database/partition.ts'
import { redisUnavailable } from './rows/database/redis-unavailable.ts'
import { eventFlood } from './rows/overload/event-flood.ts'
import { raceOnOne, raceOnThree } from './rows/overload/races.ts'
import { slowClients } from './rows/overload/slow-clients.ts'
import { zoneSearchFlood } from './rows/overload/zone-search-flood.ts'
import { endOne, endOneOfThree } from './rows/processes/graceful-shutdown.ts'
import { processKills } from './rows/processes/process-kills.ts'
import { serverKills } from './rows/processes/server-kills.ts'
import { stoppedProcess } from './rows/processes/stopped-process.ts'
import { topologyKills } from './rows/processes/topology-kills.ts'
import { wrongClock } from './rows/processes/wrong-clock.ts'
import { conversionKills } from './rows/storage/conversion-kills.ts'
import { diskStaysFull } from './rows/storage/disk-stays-full.ts'
import { fullDatabase, fullStorage } from './rows/storage/full-disk.ts'
import { importKills } from './rows/storage/import-kills.ts'
import { s3Unavailable } from './rows/storage/s3-unavailable.ts'
import { uploadKills } from './rows/storage/upload-kills.ts'

/** All rows, in the order of docs/faults.md. */
export const ROWS: Row[] = [
  serverKills,
  processKills,
  topologyKills,
  databaseStops,
  databaseAway,
  uploadKills,
  conversionKills,
  importKills,
  fullStorage,
  fullDatabase,
  diskStaysFull,
  s3Unavailable,
  redisUnavailable,
  wrongClock,
  slowClients,
  partitionFromPostgres,
  partitionFromRedis,
  endOne,
  endOneOfThree,
  raceOnOne,
  raceOnThree,
  backupUnderLoad,
  failover,
  stoppedProcess,
  eventFlood,
  zoneSearchFlood,
]
