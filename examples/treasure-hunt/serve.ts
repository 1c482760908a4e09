import { startGame } from './game/server.ts'

/** Runs the game with an existing Cairn and the built page (`npm run build`). Requires CAIRN_URL, CAIRN_SERVER_KEY, CAIRN_CLIENT_KEY and CAIRN_ZONE. */
const { CAIRN_URL, CAIRN_SERVER_KEY, CAIRN_CLIENT_KEY, CAIRN_ZONE, MAP_STYLE_URL, PORT = '8090' } = process.env
if (!CAIRN_URL || !CAIRN_SERVER_KEY || !CAIRN_CLIENT_KEY || !CAIRN_ZONE) {
  console.error(
    "Set CAIRN_URL, CAIRN_SERVER_KEY, CAIRN_CLIENT_KEY and CAIRN_ZONE, the ID of the zone with the treasures' pins",
  )
  process.exitCode = 2
} else {
  const { url } = await startGame({
    baseUrl: CAIRN_URL,
    serverKey: CAIRN_SERVER_KEY,
    clientKey: CAIRN_CLIENT_KEY,
    zoneId: Number(CAIRN_ZONE),
    mapStyleUrl: MAP_STYLE_URL,
    port: Number(PORT),
  })
  console.log(`The hunt is at ${url}`)
}
