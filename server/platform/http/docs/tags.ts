/** The groups of operations in the OpenAPI document, in the order in which it shows them. */
export const tags: { name: string; description: string }[] = [
  { name: 'Authentication', description: 'Session tokens, sign-out and six-digit codes.' },
  { name: 'Users', description: "The signed-in user's profile, quotas and data export; users and their roles." },
  { name: 'Apps', description: 'Apps, their API keys and their usage.' },
  { name: 'Players', description: 'The players of an app and their profile images.' },
  { name: 'Player data', description: 'JSON values that an app stores for its players.' },
  { name: 'App configuration', description: 'The live configuration of an app: one JSON document with versions.' },
  { name: 'Mini game types', description: 'The mini games of an app, each with its sort order and score bounds.' },
  { name: 'Game sessions', description: 'The matches of an app: active, paused or completed.' },
  { name: 'Scores', description: 'The players of a game session and their scores.' },
  { name: 'Leaderboards', description: 'Rankings of an app, a mini game type or a session, and live streams of them.' },
  { name: 'Seasons', description: 'Leaderboards of a period, which stay as they are when it has ended.' },
  {
    name: 'Fences',
    description: 'Places that players enter and leave, by the positions of their devices, and check-ins there.',
  },
  { name: 'Alerts', description: 'Alerts of an app, and the addresses that they are mailed to.' },
  { name: 'Webhooks', description: 'Subscriptions to the events of an app, and the log of their deliveries.' },
  {
    name: 'Files',
    description: 'Uploads, downloads and the conversion of models (GLB, PLY, OBJ, STL) to USDZ, and of USDZ to GLB.',
  },
  { name: 'Scans', description: '3D captures and photos, with a preview, a place and a time of day.' },
  { name: 'Pins', description: 'Content anchored at a place on earth, found by distance, box or zone.' },
  { name: 'Zones', description: 'Areas with a boundary that ground control points and pins belong to.' },
  {
    name: 'Ground control points',
    description: 'Surveyed positions with AprilTags and photos; import of survey files and export of zones.',
  },
  {
    name: 'OGC API Features',
    description: 'Pins, ground control points and zones as layers for QGIS, GDAL and others.',
  },
  {
    name: 'OGC API Tiles',
    description: 'The same, and public scans, as vector tiles for MapLibre, QGIS and others.',
  },
  {
    name: 'Shared maps',
    description: 'Maps of chosen zones, pins and leaderboards, which anyone who has the link can see.',
  },
  { name: 'Audit log', description: 'Actions on accounts, apps and secrets: the actor, the time and the address.' },
  {
    name: 'Administration',
    description: 'Health, background jobs and limits of this installation, for ops and admins.',
  },
]
