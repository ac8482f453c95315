/** What this browser remembers: a name, settings, tables, the hash of dice. A browser that keeps nothing still plays. */

/** @param {string} name @param {any} otherwise */
export function recall(name, otherwise = null) {
  try {
    const kept = localStorage.getItem(`lamplighter.${name}`);
    return kept === null ? otherwise : JSON.parse(kept);
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {any} value */
export function remember(name, value) {
  try {
    localStorage.setItem(`lamplighter.${name}`, JSON.stringify(value));
  } catch {
    // full, or forbidden
  }
}

/** @param {string} name */
export function forget(name) {
  try {
    localStorage.removeItem(`lamplighter.${name}`);
  } catch {
    // forbidden
  }
}

const MOST_TABLES = 12;

/**
 * Notes a table that was played at, the latest first. A link that opens a seat stays when the same table is seen without.
 * @param {{id: string, title: string, url: string, over: boolean}} table
 */
export function rememberTable(table) {
  const known = recall("tables", []);
  const old = known.find((one) => one.id === table.id)?.url ?? "";
  const url = old.includes("#") && !table.url.includes("#") ? old : table.url;
  keepTables([{ ...table, url, at: Date.now() }, ...known.filter((one) => one.id !== table.id)].slice(0, MOST_TABLES));
}

export function forgetTable(id) {
  keepTables(recall("tables", []).filter((one) => one.id !== id));
}

/** The address that opens one's seat, as far as this browser knows. @param {string} id */
export const tableLink = (id) => recall("tables", []).find((one) => one.id === id)?.url ?? "";

/** Hashes of dice are kept as long as their tables. */
function keepTables(tables) {
  remember("tables", tables);
  const ids = new Set(tables.map((table) => table.id));
  try {
    const noted = Object.keys(localStorage).filter((key) => key.startsWith("lamplighter.hash."));
    for (const key of noted) if (!ids.has(key.slice("lamplighter.hash.".length))) localStorage.removeItem(key);
  } catch {
    // forbidden
  }
}
