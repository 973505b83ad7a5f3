/** One category or label. */
export interface Item {
  readonly id: string;
  readonly name: string;
}

/** The most items in a collection. The oldest are removed first, so that a long load run does not fill the memory. */
const CAPACITY = 10_000;

/** Categories or labels by their IDs, in memory, in order of creation. */
export class Collection extends Map<string, Item> {
  #created = 0;

  /** Starts with these names, which get the IDs `1`, `2` and so on. */
  constructor(names: readonly string[]) {
    super();
    for (const name of names) this.create(name);
  }

  create(name: string): Item {
    const item = this.rename(`${++this.#created}`, name);
    const [oldest] = this.size > CAPACITY ? this.keys() : [];
    if (oldest !== undefined) this.delete(oldest);
    return item;
  }

  rename(id: string, name: string): Item {
    const item = { id, name };
    this.set(id, item);
    return item;
  }

  /** The items of a page whose name contains `text`. Pages count from 1. */
  page(page: number, size: number, text = ''): readonly Item[] {
    const found = [...this.values()].filter(({ name }) => name.includes(text));
    return found.slice((page - 1) * size, page * size);
  }
}

/** All data of a reference server. It is lost when the server ends. */
export interface Store {
  service: { readonly name: string; readonly unit: 'cm' | 'in' };
  readonly categories: Collection;
  readonly labels: Collection;
}

export function createStore(): Store {
  return {
    service: { name: 'Reference size charts', unit: 'cm' },
    categories: new Collection(['Shirts', 'Trousers', 'Shoes']),
    labels: new Collection(['Chest', 'Waist', 'Inseam']),
  };
}
