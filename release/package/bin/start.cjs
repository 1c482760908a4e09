void import('../server/cli.js')
