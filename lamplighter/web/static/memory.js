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

const MOST_TABLES = 12;

/** Notes a table that was played at, the latest first. @param {{id: string, title: string, url: string, over: boolean}} table */
export function rememberTable(table) {
  const others = recall("tables", []).filter((one) => one.id !== table.id);
  remember("tables", [{ ...table, at: Date.now() }, ...others].slice(0, MOST_TABLES));
}

export function forgetTable(id) {
  remember("tables", recall("tables", []).filter((one) => one.id !== id));
}
