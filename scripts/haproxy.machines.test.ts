import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'vitest'
import { ROOT } from '../server/test/process.ts'

test('HAProxy takes deploy/haproxy.cfg as it is', () => {
  execFileSync('/usr/sbin/haproxy', ['-c', '-q', '-f', join(ROOT, 'deploy', 'haproxy.cfg')])
})
