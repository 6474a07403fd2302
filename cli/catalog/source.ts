/** Where the catalog of the shop is, for one command. */
import { fileSource } from "../../src/catalog/file/file-source.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { catalogFile, dataPlace } from "../../src/env/env.ts";
import { folderOf } from "../../src/store/place/place.ts";

interface Places {
  catalog?: string | undefined;
  data?: string | undefined;
}

/** @param places the options of the command line */
export function catalogSource({ catalog, data }: Places = {}): CatalogSource {
  return fileSource(catalogFile(catalog), folderOf(dataPlace(data)));
}
