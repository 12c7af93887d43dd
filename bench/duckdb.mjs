// Answers the question of the bench with DuckDB, in the columns of the analyzer's CSV.
// Usage: node duckdb.mjs MODULES FOLDER [SUFFIX]
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"

const [ modules, folder, suffix = ".log" ] = process.argv.slice(2)
const require = createRequire(pathToFileURL(modules + "/"))
const { DuckDBInstance } = await import(pathToFileURL(require.resolve("@duckdb/node-api")))

const instance = await DuckDBInstance.create(":memory:", { threads: "2" })
const connection = await instance.connect()
const lines = `read_csv('${folder}/**/performance_*${suffix}', delim = ';', header = false, skip = 1,
  auto_detect = false, columns = { 'duration': 'INTEGER', 'ms': 'BIGINT', 'action': 'VARCHAR', 'context': 'VARCHAR' })`
const origin = 1383684920000n
const result = await connection.runAndReadAll(`
  SELECT (ms - ${origin}) // 60000 AS minute, action, count(*) AS count,
         avg(duration) AS mean, stddev_samp(duration) AS stddev,
         quantile_disc(duration, [0.5, 0.025, 0.975]) AS quantiles, min(duration) AS min, max(duration) AS max
  FROM ${lines} GROUP BY GROUPING SETS ((minute, action), (action)) ORDER BY action, minute NULLS LAST`)
const begin = minute => minute === null ? "steady" : Number(minute) * 60
const rows = result.getRows().map(([ minute, action, count, mean, stddev, quantiles, min, max ]) =>
  [ begin(minute), action, count, mean, stddev, ...quantiles.items, min, max ].join(","))
console.log([ "window,action,count,mean,stddev,median,p2.5,p97.5,min,max", ...rows ].join("\n"))
