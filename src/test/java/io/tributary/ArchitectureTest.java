package io.tributary;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Holds the directions between the rooms and the fences around the libraries. */
class ArchitectureTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.tributary");

    @Test
    void roomsImportOnlyInTheDirectionOfTheData() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("event")
                .definedBy("io.tributary.event..")
                .layer("source")
                .definedBy("io.tributary.source..")
                .layer("evolution")
                .definedBy("io.tributary.evolution..")
                .layer("batch")
                .definedBy("io.tributary.batch..")
                .layer("delta")
                .definedBy("io.tributary.delta..")
                .layer("lag")
                .definedBy("io.tributary.lag..")
                .layer("pipeline")
                .definedBy("io.tributary.pipeline..")
                .layer("ops")
                .definedBy("io.tributary.ops..")
                .whereLayer("event")
                .mayNotAccessAnyLayer()
                .whereLayer("source")
                .mayOnlyAccessLayers("event")
                .whereLayer("evolution")
                .mayOnlyAccessLayers("event")
                .whereLayer("batch")
                .mayOnlyAccessLayers("event", "evolution")
                .whereLayer("delta")
                .mayOnlyAccessLayers("event", "evolution", "batch")
                .whereLayer("lag")
                .mayOnlyAccessLayers("event")
                .whereLayer("pipeline")
                .mayOnlyBeAccessedByLayers("ops")
                .whereLayer("ops")
                .mayNotBeAccessedByAnyLayer()
                .check(PRODUCT);
    }

    @Test
    void debeziumAndKafkaStayInTheSourceRoom() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.tributary.source..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.debezium..", "org.apache.kafka..")
                .check(PRODUCT);
    }

    @Test
    void deltaHadoopAndParquetStayInTheDeltaRoom() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.tributary.delta..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.delta..", "org.apache.hadoop..", "org.apache.parquet..")
                .check(PRODUCT);
    }

    @Test
    void theVocabularyIsFreeOfLibraries() {
        noClasses()
                .that()
                .resideInAPackage("io.tributary.event..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "io.tributary.event..", "org.jspecify..")
                .check(PRODUCT);
    }
}
