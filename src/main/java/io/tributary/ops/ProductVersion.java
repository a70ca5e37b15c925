package io.tributary.ops;

import picocli.CommandLine.IVersionProvider;

/** The version that the build recorded. */
final class ProductVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = ProductVersion.class.getPackage().getImplementationVersion();
        return new String[] {"tributary " + (version == null ? "of an unpackaged build" : version)};
    }
}
