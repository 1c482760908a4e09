#!/usr/bin/env node
// Every Node can read this file: it says what to install where the rest could not be read.
'use strict'
var WANTED = 24
if (Number(process.versions.node.split('.')[0]) < WANTED) {
  console.error(
    'Cairn needs Node ' +
      WANTED +
      ' or later and this is Node ' +
      process.versions.node +
      ': install it from https://nodejs.org, or with "npx -p node@' +
      WANTED +
      ' -p cairn-server cairn-server"',
  )
  process.exit(1)
}
require('./start.cjs')
