import type { Db } from './db.js'
import { sql } from './sql.js'

/** By it nodes agree, whatever their own clocks say. */
export const databaseTime = async (db: Db): Promise<Date> => (await db.one<{ now: Date }>(sql`select now() as now`)).now
