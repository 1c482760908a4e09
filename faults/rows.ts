import type { Row } from './row.ts'
import { backupUnderLoad } from './rows/backup-under-load.ts'
import { conversionKills } from './rows/conversion-kills.ts'
import { databaseAway, databaseStops } from './rows/database-stops.ts'
import { diskStaysFull } from './rows/disk-stays-full.ts'
import { eventFlood } from './rows/event-flood.ts'
import { failover } from './rows/failover.ts'
import { fullDatabase, fullStorage } from './rows/full-disk.ts'
import { importKills } from './rows/import-kills.ts'
import { endOne, endOneOfThree } from './rows/orderly-ends.ts'
import { partitionFromPostgres, partitionFromRedis } from './rows/partition.ts'
import { processKills } from './rows/process-kills.ts'
import { raceOnOne, raceOnThree } from './rows/races.ts'
import { redisAway } from './rows/redis-away.ts'
import { s3Away } from './rows/s3-away.ts'
import { serverKills } from './rows/server-kills.ts'
import { slowClients } from './rows/slow-clients.ts'
import { stoppedProcess } from './rows/stopped-process.ts'
import { topologyKills } from './rows/topology-kills.ts'
import { uploadKills } from './rows/upload-kills.ts'
import { wrongClock } from './rows/wrong-clock.ts'
import { zoneSearchFlood } from './rows/zone-search-flood.ts'

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
  s3Away,
  redisAway,
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
