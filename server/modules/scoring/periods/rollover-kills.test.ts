// @module-tag long
import { testRolloverKills } from '../../../test/scoring/rollover-kills.ts'

testRolloverKills()
