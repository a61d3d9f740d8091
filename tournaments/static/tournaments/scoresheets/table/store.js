// What waits on this phone, in the order in which it was written. It stands in IndexedDB, so that a
// reload, a closed tab or a flat battery takes nothing away; where the browser refuses that, in
// memory for as long as the page is open.

const NAME = "klaverclub";
const ITEMS = "outbox";
const FIRST_IN_MEMORY = 1e12;
// Some browsers now and then open no database and say nothing of it.
const PATIENCE = 3000;

const finished = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(ITEMS, { keyPath: "order", autoIncrement: true });
  };
  const never = new Promise((_, reject) => setTimeout(reject, PATIENCE));
  return Promise.race([finished(request), never]);
}

// `isKept` says whether what waits survives the page.
export class Store {
  #database = null;
  #memory = new Map();
  #remembered = FIRST_IN_MEMORY;
  #works = true;

  get isKept() {
    return this.#works && !this.#memory.size;
  }

  // Every item, oldest first.
  async all() {
    const kept = await this.#try((items) => finished(items.getAll()), "readonly", []);
    return [...kept, ...this.#memory.values()];
  }

  // Keep a new item; it is safe once this is done.
  async add(item) {
    const kept = await this.#try((items) => finished(items.add(item)), "readwrite", null);
    if (kept !== null) return;
    this.#remembered += 1;
    this.#memory.set(this.#remembered, { ...item, order: this.#remembered });
  }

  // Change an item as it is at this moment, whatever another tab did to it: `change` gives the item
  // to keep, null to throw it away, undefined to leave it. Gives what `change` gave.
  async change(order, change) {
    if (order >= FIRST_IN_MEMORY) return this.#changeInMemory(order, change);
    const work = async (items) => {
      const item = await finished(items.get(order));
      const changed = item && change(item);
      if (changed) items.put(changed);
      else if (changed === null) items.delete(order);
      return changed;
    };
    return this.#try(work, "readwrite", undefined);
  }

  #changeInMemory(order, change) {
    const item = this.#memory.get(order);
    const changed = item && change(item);
    if (changed) this.#memory.set(order, changed);
    else if (changed === null) this.#memory.delete(order);
    return changed;
  }

  // Do the work in one transaction, a second time where the browser lost the database; `otherwise`
  // is the answer of a phone that cannot keep anything.
  async #try(work, mode, otherwise) {
    for (const _attempt of [1, 2]) {
      try {
        const answer = await this.#transact(work, mode);
        this.#works = true;
        return answer;
      } catch {
        this.#database = null;
      }
    }
    this.#works = false;
    return otherwise;
  }

  async #transact(work, mode) {
    this.#database ??= await open();
    // On disk before the page says that it is safe.
    const transaction = this.#database.transaction(ITEMS, mode, { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
    const [answer] = await Promise.all([work(transaction.objectStore(ITEMS)), done]);
    return answer;
  }
}
